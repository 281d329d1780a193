"""A bad network: passes connections on to an address, and cuts them at random moments."""
import asyncio
import random
import threading

MEAN_BETWEEN_CUTS_S = 0.4


class Unsteady:
    """Listens on a free port of 127.0.0.1 (`address`) from construction until `close`."""

    def __init__(self, target, seed):
        self._host, _, self._port = target.rpartition(":")
        self._random = random.Random(seed)
        self._live = set()
        self.cuts = 0
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        ready.wait()

    def close(self):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _run(self, ready):
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve(ready))

    async def _serve(self, ready):
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.address = "127.0.0.1:%d" % server.sockets[0].getsockname()[1]
        ready.set()
        cutter = asyncio.ensure_future(self._cut())
        await self._stop.wait()
        cutter.cancel()
        server.close()
        for transport in list(self._live):
            transport.abort()

    async def _cut(self):
        while True:
            await asyncio.sleep(self._random.expovariate(1 / MEAN_BETWEEN_CUTS_S))
            if self._live:
                self._random.choice(list(self._live)).abort()  # what was on its way is lost
                self.cuts += 1

    async def _accept(self, reader, writer):
        there_reader, there = await asyncio.open_connection(self._host, self._port)
        self._live.add(writer.transport)
        await asyncio.wait([asyncio.ensure_future(self._pass_on(reader, there)),
                            asyncio.ensure_future(self._pass_on(there_reader, writer))],
                           return_when=asyncio.FIRST_COMPLETED)
        self._live.discard(writer.transport)
        writer.transport.abort()
        there.transport.abort()

    @staticmethod
    async def _pass_on(reader, writer):
        try:
            while chunk := await reader.read(1 << 16):
                writer.write(chunk)
                await writer.drain()
        except OSError:
            pass
