"""The server under test and its controllers, which the steps share."""

from __future__ import annotations

from typing import Any

from aiohomekit.characteristic_cache import CharacteristicCacheMemory
from aiohomekit.controller.ip.controller import IpController
from aiohomekit.controller.ip.discovery import IpDiscovery
from zeroconf import ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from processes import Server
from sessions import Session, close_all
from waiting import until

SERVICE_TYPE = "_hap._tcp.local."
DISCOVERY_LIMIT = 20.0


class Garage:
    """The Kilgo garage of `hap serve`, two sessions of its owner, and a guest."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.ready: dict[str, Any] = {}
        self.announced: set[str] = set()
        self.pairing_data: dict[str, Any] | None = None
        self.guest_data: dict[str, Any] | None = None
        self.guest: Session | None = None
        self._owner: Session | None = None
        self._second: Session | None = None
        self._discovery: IpDiscovery | None = None
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._controller: IpController | None = None

    async def start(self) -> None:
        """Starts browsing, then the server."""
        self._zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
        self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, [SERVICE_TYPE], handlers=[self._seen])
        self._controller = IpController(CharacteristicCacheMemory(), self._zeroconf)
        await self._controller.async_start()
        self.ready = await self.server.start()

    async def close(self) -> None:
        await close_all(self._owner, self._second, self.guest)
        if self._discovery is not None:
            await self._discovery.close()
        if self._controller is not None:
            await self._controller.async_stop()
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await self._zeroconf.async_close()

    @property
    def published(self) -> dict[str, Any]:
        """The only server of the ready file."""
        servers = self.ready["servers"]
        assert len(servers) == 1, f"the ready file lists {len(servers)} servers"
        return servers[0]

    @property
    def device_id(self) -> str:
        return self.published["deviceID"]

    @property
    def controller(self) -> IpController:
        assert self._controller is not None, "browsing has not started"
        return self._controller

    @property
    def owner(self) -> Session:
        assert self._owner is not None, "not paired"
        return self._owner

    @property
    def second(self) -> Session:
        """Opens another session of the owner."""
        assert self._second is not None, "not paired"
        return self._second

    async def discovery(self) -> IpDiscovery:
        """Returns the discovered accessory; always the same object, so that every pair-setup uses one connection."""
        if self._discovery is None:
            self._discovery = await self.controller.async_find(self.device_id, DISCOVERY_LIMIT)
        return self._discovery

    async def pair(self) -> None:
        """Pairs with the correct code. Opens no session."""
        discovery = await self.discovery()
        finish = await discovery.async_start_pairing(self.device_id)
        pairing = await finish(self.server.SETUP_CODE)
        self.pairing_data = dict(pairing.pairing_data)
        self._discovery = None

    async def open_sessions(self) -> None:
        """Opens two sessions of the owner."""
        assert self.pairing_data is not None, "not paired"
        self._owner = Session(self.controller, self.pairing_data)
        self._second = Session(self.controller, self.pairing_data)
        await self._owner.open()
        await self._second.open()

    async def status_flags_become(self, flags: int) -> None:
        """Waits until the announced `sf` has this value."""
        await until(lambda: self._status_flags() == flags, DISCOVERY_LIMIT,
                    f"sf={flags} is announced, it is {self._status_flags()}")

    async def text_record(self) -> dict[str, str | None]:
        """Returns the announced TXT record."""
        assert self._zeroconf is not None, "browsing has not started"
        name = (await self.discovery()).description.name
        info = AsyncServiceInfo(SERVICE_TYPE, f"{name}.{SERVICE_TYPE}")
        assert await info.async_request(self._zeroconf.zeroconf, DISCOVERY_LIMIT * 1000), f"{name} does not resolve"
        return dict(info.decoded_properties)

    def _status_flags(self) -> int | None:
        discovery = self.controller.discoveries.get(self.device_id.lower())
        return None if discovery is None else int(discovery.description.status_flags)

    def _seen(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        instance = name.removesuffix(f".{service_type}")
        if state_change is ServiceStateChange.Removed:
            self.announced.discard(instance)
        else:
            self.announced.add(instance)
