internal import AccessoryModel

extension PhraseWords {
    /// The English words of phrases.
    ///
    /// Case and apostrophes do not matter. Spaces can be left out, but not added.
    static let english = PhraseWords(
        englishRows,
        types: [
            ("heat,radiator", [.thermostat, .heaterCooler]),
            ("air conditioning,air conditioner,ac", [.heaterCooler, .thermostat]),
            ("security,security alarm,alarm system", [.securitySystem]),
            ("window shade,roller blind,drape", [.windowCovering]),
            ("cooling", [.thermostat, .heaterCooler]),
            ("door lock", [.lockMechanism]),
            ("telly", [.television]),
        ],
        collectives: [("motion,movement", [.motionSensor])],
        properties: [
            ("brightness", []), ("hue", []), ("saturation", []),
            ("color,colour", [.hue]), ("speed", [.rotationSpeed]), ("temperature", CharacteristicType.climate),
            ("humidity", [.targetRelativeHumidity, .relativeHumidityHumidifierThreshold]),
            ("position", [.targetPosition]),
            ("light level,level of light", [.brightness]),
            ("colour temperature,white temperature", [.colorTemperature]),
            ("fan speed", [.rotationSpeed]),
            ("battery level,charge", [.batteryLevel]),
            ("temp,temps", CharacteristicType.climate),
        ],
        kinds: [
            (.home, "home"), (.room, "room"), (.zone, "zone"), (.group, "group"), (.scene, "scene"),
            (.accessory, "accessory"), (.service, "service"),
        ],
        plural: SpokenName.plural
    )

    private static let englishRows: [(PhraseWord, String)] = [
        (
            .filler,
            "the,a,an,my,our,your,please,it,its,just,now,right now,then,there,you,i,we,me,us,want,need,would like"
        ),
        (.determiner, "the,a,an,my,our,your,all the"),
        (.filler, "id like,hey,ok,okay,so,also,this,that,these,those,thanks,thank you,for me,be,currently"),
        (.filler, "again,still,power,want to,need to,ones,group,room,zone,device,devices,accessory,accessories"),
        (.noun, "power,ones,group,room,zone,device,devices,accessory,accessories"),
        (.subject, "i,you,we"),
        (.listener, "you"),
        (.want, "want,need,want to,need to,would like,id like"),
        (.polite, "can you,could you,would you,will you"),
        (.verb, "turn,switch,put,set,make,change,bring,adjust,get,move,flip,keep"),
        (.run, "run,activate,start,execute,play,trigger,launch,enable,do,begin"),
        (.to, "to,at,into"),
        (.by, "by"),
        (.place, "in,of,on,at,inside,for,from,within"),
        (.partOf, "of"),
        (.or, "or"),
        (.only, "only"),
        (.condition, "if,unless,in case"),
        (.and, "and,plus,as well as,&"),
        (.except, "except,except for,but not,but,without,apart from,excluding,other than,not"),
        (.all, "all,all of,every,each,both,all the"),
        (
            .some,
            "something,either,both,some,some of,several,several of,a few,a few of,a couple of,most,most of,half of,half the,"
                + "half of the,a quarter of,one quarter of,quarter of,three quarters of,a third of,one third of,two thirds of"
        ),
        (.any, "any,any of,anything,anywhere,is there,are there,is there any,are there any"),
        (
            .everything,
            "everything,every thing,anything,all devices,every device,all accessories,whole house,whole home,house,everywhere,anywhere"
        ),
        (.here, "here,in here,this room"),
        (.not, "never,don't,do not,no,cannot,can't,won't,shouldn't,stop turning,not to"),

        (.later, "minute,minutes,hour,hours,second,seconds,tomorrow,later,when,until,after,before,every day"),

        (.state(.on), "on"),
        (.state(.off), "off,out,kill,deactivate,disable,shut off,shut down"),
        (.state(.open), "open,opened,opens"),
        (.state(.closed), "close,closed,shut,closes"),
        (.state(.locked), "lock,locked,secure,secured,lock up,locked up"),
        (.state(.unlocked), "unlock,unlocked,unsecured,unsecure"),
        (.past, "opened,opens,closed,closes,locked,unlocked,secured,unsecured,locked up"),
        (.toggle, "toggle,flip"),
        (.stop, "stop,halt,hold,pause"),
        (.up, "up,raise,increase,lift,roll up,pull up,crank up,boost,turn up"),
        (.down, "down,lower,decrease,reduce,drop,roll down,pull down,turn down,bring down"),
        (.adjust, "turn,adjust,turn up,turn down,increase,decrease,crank up,boost,reduce"),
        (.halve, "half the brightness,half the brightness of,half as bright,halve"),
        (.step(.brighter), "brighter,brighten,lighter,brighten up"),
        (.step(.dimmer), "dimmer,darker,dim,darken,less bright,dim down"),
        (.step(.warmer), "warmer,hotter,heat up,warm up"),
        (.step(.cooler), "cooler,colder,cool down"),
        (.step(.faster), "faster,quicker,speed up"),
        (.step(.slower), "slower,slow down"),
        (.step(.louder), "louder"),
        (.step(.quieter), "quieter,softer"),
        (
            .amount(.little),
            "a little,a little bit,a bit,slightly,little,bit,little bit,a touch,a tad,a bit more,a little more"
        ),
        (.amount(.much), "much,a lot,lots,way,far,considerably,significantly,a lot more,much more"),
        (.level(.minimum), "minimum,min,lowest,the minimum,as low as possible"),
        (.level(.low), "low,quarter,a quarter"),
        (.level(.half), "half,halfway,half way,medium,middle,mid,half open,half closed,half brightness"),
        (.level(.threeQuarters), "three quarters"),
        (
            .level(.maximum),
            "maximum,max,full,highest,high,full blast,full brightness,full power"
        ),
        (.level(.complete), "fully,all the way,completely,entirely"),

        (.number(0), "zero"), (.number(1), "one"), (.number(2), "two"), (.number(3), "three"), (.number(4), "four"),
        (.number(5), "five"), (.number(6), "six"), (.number(7), "seven"), (.number(8), "eight"), (.number(9), "nine"),
        (.number(10), "ten"), (.number(11), "eleven"), (.number(12), "twelve"), (.number(13), "thirteen"),
        (.number(14), "fourteen"), (.number(15), "fifteen"), (.number(16), "sixteen"), (.number(17), "seventeen"),
        (.number(18), "eighteen"), (.number(19), "nineteen"), (.number(20), "twenty"), (.number(30), "thirty"),
        (.number(40), "forty"), (.number(50), "fifty"), (.number(60), "sixty"), (.number(70), "seventy"),
        (.number(80), "eighty"), (.number(90), "ninety"), (.number(100), "hundred,one hundred,a hundred"),
        (.unit(.percent), "percent,per cent,%,points"),
        (.unit(.degrees), "degrees,degree,°,°c,c,celsius,degrees celsius,centigrade"),
        (.unit(.fahrenheit), "°f,f,fahrenheit,degrees fahrenheit"),
        (.unit(.kelvin), "kelvin,kelvins,k"),

        (.color(hue: 0, saturation: 100), "red"),
        (.color(hue: 30, saturation: 100), "orange"),
        (.color(hue: 45, saturation: 100), "amber,gold"),
        (.color(hue: 60, saturation: 100), "yellow"),
        (.color(hue: 90, saturation: 100), "lime"),
        (.color(hue: 120, saturation: 100), "green"),
        (.color(hue: 174, saturation: 72), "turquoise"),
        (.color(hue: 180, saturation: 100), "cyan,teal,aqua"),
        (.color(hue: 240, saturation: 100), "blue"),
        (.color(hue: 197, saturation: 43), "sky blue,light blue"),
        (.color(hue: 275, saturation: 100), "indigo"),
        (.color(hue: 270, saturation: 100), "violet"),
        (.color(hue: 300, saturation: 100), "purple,magenta"),
        (.color(hue: 350, saturation: 25), "pink"),
        (.white(2_000), "candlelight,candle light"),
        (.white(2_700), "warm white,soft white"),
        (.white(4_000), "white,neutral white,natural white"),
        (.white(5_000), "cool white,cold white"),
        (.white(6_500), "daylight,daylight white"),

        (.mode(.heat), "heat,heating,heating mode,heat mode"),
        (.mode(.cool), "cool,cooling,cooling mode,cool mode"),
        (.mode(.automatic), "auto,automatic,automatically,auto mode"),
        (.mode(.home), "home,stay,home mode,stay mode,at home"),
        (.mode(.away), "away,away mode"),
        (.mode(.night), "night,night mode,for the night"),
        (.arm, "arm,armed"),
        (.disarm, "disarm,disarmed"),
        (.past, "armed,disarmed"),
        (.dark, "its dark,it is dark,its too dark,it is too dark"),
        (.darkAlone, "dark,too dark"),

        (
            .mayI,
            "can i,can we,could i,could we,may i,may we,should i,should we,shall i,shall we,must i,do i need to,"
                + "can,could,may,might,should,shall,must"
        ),
        (
            .isIt,
            "tell me if,tell me whether,check if,check whether,do you know if,is,are,was,were,does,is there,are there,do i have,have,has"
        ),
        (.isIt, "do i,do we,do you,does it,need i,need we,need you,would i,would we,would it,will i,will we,will it"),
        (.did, "did,have i,did i,did we,did anyone,did someone"),
        (.forget, "forget,forgotten,forgot,forget to,forgot to"),
        (.leave, "leave,left,leave on"),
        (.which, "which,what,what's,what is,what are,which of,list,show,show me,tell me,list all,show all,give me"),
        (.which, "how many,how many of"),
        (.who, "who,who's,who is"),
        (.how(.general), "how,how's,how is,how are"),
        (.how(.warm), "how warm,how hot,how cold,how warm is,how hot is,how cold is,how cool"),
        (.how(.bright), "how bright,how dim,how dark"),
        (.how(.humid), "how humid,how damp,how dry"),
        (.how(.open), "how open,how far open,how far"),
        (.how(.full), "how full"),
        (.someone, "someone,somebody,anyone,anybody,people,person"),  // prose:allow
        (.everyone, "everyone,everybody"),
        (.noOne, "no one,nobody"),  // prose:allow
        (.status, "status,state,status of,state of,doing,going on"),
        (.hazard(.smoke), "smoke,fire,any smoke,a fire"),
        (.hazard(.leak), "leak,water leak,a leak,any leaks,leaks,leaking,flood"),
        (.hazard(.carbonMonoxide), "carbon monoxide,gas,co"),
        (.triggered, "tripped,triggered,ringing,sounding,going off,gone off,detected,detecting,active"),
        (.batteryLow, "low battery,low batteries,battery low,low on battery,batteries low,running low,empty battery"),
        (.batteryLow, "low on power,batteries,new batteries,empty"),
        (.unreachable, "unreachable,not responding,no response,offline,not reachable,unavailable"),

        (
            .scene(.sleep),
            "good night,goodnight,im going to bed,going to bed,bedtime,time for bed,time to sleep,im off to bed"
        ),
        (.scene(.wakeUp), "good morning,im awake,im up,wake up,morning,time to get up"),
        (
            .scene(.homeDeparture),
            "im leaving,im leaving home,im off,im going out,leaving home,goodbye,bye,see you later"
        ),
        (.scene(.homeDeparture), "im leaving now,were leaving,im heading out"),
        (.scene(.homeArrival), "im home,im back,im at home,i am home,were home,arriving home,i arrived,im back home"),
        (.sceneWord, "scene,mood"),
        (.camera, "camera,cameras,video"),
    ]
}
