"""A sender under test, here pyatv, beside a receiver of its own: HAP=PATH-OF-HAP pytest Examples/AirPlay"""
import asyncio, ipaddress, json, os, pathlib, pyatv, subprocess, time, wave

async def stream(receiver, file):
    config, v2 = pyatv.conf.AppleTV(ipaddress.IPv4Address(receiver["host"]), "Speaker"), "0x00040200,0x00010040"
    config.add_service(pyatv.conf.ManualService("1", pyatv.const.Protocol.RAOP, receiver["port"], {"ft": v2}))
    device = await pyatv.connect(config, asyncio.get_running_loop())
    await device.stream.stream_file(str(file))
    device.close()

def test_sound_is_heard(tmp_path):
    ready, sound, recordings = tmp_path / "ready.json", tmp_path / "sound.wav", tmp_path / "recordings"
    with wave.open(str(sound), "wb") as file:
        file.setparams((2, 2, 44100, 0, "NONE", None))
        file.writeframes(bytes(range(256)) * 689)
    hap, definition = os.environ.get("HAP", "hap"), pathlib.Path(__file__).with_name("speaker.yaml")
    with subprocess.Popen([hap, "serve", definition, "--bind", "127.0.0.1", "--advertise", "off", "--state", tmp_path,
                           "--ready-file", ready, "--record", recordings]) as server:
        try:
            while not ready.exists() and server.poll() is None:
                time.sleep(0.1)
            asyncio.run(stream(json.loads(ready.read_text())["receivers"][0], sound))
        finally:
            server.terminate()
    assert sound.read_bytes()[44:] in next(recordings.glob("*.wav")).read_bytes()
