// The definitions of the folder Accessories, so that the program needs no files to offer them.
//
// Clang lists embedded files as dependencies, so a change of one of them compiles this file again. A test of
// WebConsoleTests compares the list with the folder.

#include "CGalleryFiles.h"

// A directive of C23, which Clang accepts in earlier versions of C, too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char air_purifier_file[] = {
#embed "../../../Accessories/air-purifier.yaml"
};
static const unsigned char air_quality_sensor_file[] = {
#embed "../../../Accessories/air-quality-sensor.yaml"
};
static const unsigned char button_file[] = {
#embed "../../../Accessories/button.yaml"
};
static const unsigned char carbon_dioxide_sensor_file[] = {
#embed "../../../Accessories/carbon-dioxide-sensor.yaml"
};
static const unsigned char carbon_monoxide_sensor_file[] = {
#embed "../../../Accessories/carbon-monoxide-sensor.yaml"
};
static const unsigned char color_light_file[] = {
#embed "../../../Accessories/color-light.yaml"
};
static const unsigned char color_temperature_light_file[] = {
#embed "../../../Accessories/color-temperature-light.yaml"
};
static const unsigned char contact_sensor_file[] = {
#embed "../../../Accessories/contact-sensor.yaml"
};
static const unsigned char dimmable_light_file[] = {
#embed "../../../Accessories/dimmable-light.yaml"
};
static const unsigned char door_file[] = {
#embed "../../../Accessories/door.yaml"
};
static const unsigned char doorbell_file[] = {
#embed "../../../Accessories/doorbell.yaml"
};
static const unsigned char fan_file[] = {
#embed "../../../Accessories/fan.yaml"
};
static const unsigned char faucet_file[] = {
#embed "../../../Accessories/faucet.yaml"
};
static const unsigned char garage_file[] = {
#embed "../../../Accessories/garage.yaml"
};
static const unsigned char ground_floor_file[] = {
#embed "../../../Accessories/ground-floor.yaml"
};
static const unsigned char heater_cooler_file[] = {
#embed "../../../Accessories/heater-cooler.yaml"
};
static const unsigned char humidifier_file[] = {
#embed "../../../Accessories/humidifier.yaml"
};
static const unsigned char humidity_sensor_file[] = {
#embed "../../../Accessories/humidity-sensor.yaml"
};
static const unsigned char irrigation_file[] = {
#embed "../../../Accessories/irrigation.yaml"
};
static const unsigned char leak_sensor_file[] = {
#embed "../../../Accessories/leak-sensor.yaml"
};
static const unsigned char light_sensor_file[] = {
#embed "../../../Accessories/light-sensor.yaml"
};
static const unsigned char lock_file[] = {
#embed "../../../Accessories/lock.yaml"
};
static const unsigned char motion_sensor_file[] = {
#embed "../../../Accessories/motion-sensor.yaml"
};
static const unsigned char occupancy_sensor_file[] = {
#embed "../../../Accessories/occupancy-sensor.yaml"
};
static const unsigned char outlet_file[] = {
#embed "../../../Accessories/outlet.yaml"
};
static const unsigned char power_strip_file[] = {
#embed "../../../Accessories/power-strip.yaml"
};
static const unsigned char radiator_valve_file[] = {
#embed "../../../Accessories/radiator-valve.yaml"
};
static const unsigned char remote_file[] = {
#embed "../../../Accessories/remote.yaml"
};
static const unsigned char security_system_file[] = {
#embed "../../../Accessories/security-system.yaml"
};
static const unsigned char smart_speaker_file[] = {
#embed "../../../Accessories/smart-speaker.yaml"
};
static const unsigned char smoke_sensor_file[] = {
#embed "../../../Accessories/smoke-sensor.yaml"
};
static const unsigned char speaker_airplay_file[] = {
#embed "../../../Accessories/speaker-airplay.yaml"
};
static const unsigned char switch_file[] = {
#embed "../../../Accessories/switch.yaml"
};
static const unsigned char television_file[] = {
#embed "../../../Accessories/television.yaml"
};
static const unsigned char television_airplay_file[] = {
#embed "../../../Accessories/television-airplay.yaml"
};
static const unsigned char television_cast_file[] = {
#embed "../../../Accessories/television-cast.yaml"
};
static const unsigned char temperature_sensor_file[] = {
#embed "../../../Accessories/temperature-sensor.yaml"
};
static const unsigned char thermostat_file[] = {
#embed "../../../Accessories/thermostat.yaml"
};
static const unsigned char window_file[] = {
#embed "../../../Accessories/window.yaml"
};
static const unsigned char window_covering_file[] = {
#embed "../../../Accessories/window-covering.yaml"
};

#define FILE(name, content) { name, content, sizeof content }

static const struct gallery_file files[] = {
    FILE("air-purifier", air_purifier_file),
    FILE("air-quality-sensor", air_quality_sensor_file),
    FILE("button", button_file),
    FILE("carbon-dioxide-sensor", carbon_dioxide_sensor_file),
    FILE("carbon-monoxide-sensor", carbon_monoxide_sensor_file),
    FILE("color-light", color_light_file),
    FILE("color-temperature-light", color_temperature_light_file),
    FILE("contact-sensor", contact_sensor_file),
    FILE("dimmable-light", dimmable_light_file),
    FILE("door", door_file),
    FILE("doorbell", doorbell_file),
    FILE("fan", fan_file),
    FILE("faucet", faucet_file),
    FILE("garage", garage_file),
    FILE("ground-floor", ground_floor_file),
    FILE("heater-cooler", heater_cooler_file),
    FILE("humidifier", humidifier_file),
    FILE("humidity-sensor", humidity_sensor_file),
    FILE("irrigation", irrigation_file),
    FILE("leak-sensor", leak_sensor_file),
    FILE("light-sensor", light_sensor_file),
    FILE("lock", lock_file),
    FILE("motion-sensor", motion_sensor_file),
    FILE("occupancy-sensor", occupancy_sensor_file),
    FILE("outlet", outlet_file),
    FILE("power-strip", power_strip_file),
    FILE("radiator-valve", radiator_valve_file),
    FILE("remote", remote_file),
    FILE("security-system", security_system_file),
    FILE("smart-speaker", smart_speaker_file),
    FILE("smoke-sensor", smoke_sensor_file),
    FILE("speaker-airplay", speaker_airplay_file),
    FILE("switch", switch_file),
    FILE("television", television_file),
    FILE("television-airplay", television_airplay_file),
    FILE("television-cast", television_cast_file),
    FILE("temperature-sensor", temperature_sensor_file),
    FILE("thermostat", thermostat_file),
    FILE("window", window_file),
    FILE("window-covering", window_covering_file),
};

size_t gallery_file_count(void) {
    return sizeof files / sizeof files[0];
}

struct gallery_file gallery_file(size_t index) {
    return files[index];
}
