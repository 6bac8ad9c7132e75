"""A sender under test, here pychromecast, beside a receiver of its own: HAP=PATH-OF-HAP pytest Examples/Cast"""
import json, os, subprocess, time
from pathlib import Path
from pychromecast import get_chromecast_from_host

def test_film_begins_after_its_ad(tmp_path):
    hap, ready = os.environ.get("HAP", "hap"), tmp_path / "ready.json"
    server = subprocess.Popen([hap, "serve", Path(__file__).with_name("television.yaml"), "--bind", "127.0.0.1",
                               "--state", tmp_path, "--ready-file", ready, "--advertise", "off", "--console", "off"])
    try:
        while not ready.exists() and server.poll() is None:
            time.sleep(0.1)
        receiver = json.loads(ready.read_text())["receivers"][0]
        cast = get_chromecast_from_host((receiver["host"], receiver["port"], None, "Chromecast", "Living Room"))
        cast.wait(timeout=10)
        cast.media_controller.play_media("http://example.com/film.mp4", "video/mp4")
        cast.media_controller.block_until_active(timeout=10)
        subprocess.run([hap, "simulate", "--state", tmp_path, "advance", "20s"], check=True)
        cast.media_controller.pause()
        assert cast.media_controller.status.current_time >= 5
        values = subprocess.check_output([hap, "simulate", "--state", tmp_path, "show"], text=True)
        assert "Current Media State: Pause" in values
    finally:
        server.terminate()
