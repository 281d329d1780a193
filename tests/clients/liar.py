"""A server that lies: passes every call on to an address, but shows one ruleset only, and to those who
watch leaves one event out and tells another one twice."""
from concurrent.futures import ThreadPoolExecutor

import grpc

from astragal.v1 import game_service_pb2, ruleset_service_pb2

RULESET = "patolli"
LEFT_OUT = 20
TOLD_TWICE = 30
THREADS = 16


class Liar(grpc.GenericRpcHandler):
    """Listens on a free port of 127.0.0.1 (`address`) until `close`."""

    def __init__(self, target):
        self._channel = grpc.insecure_channel(target)
        self._server = grpc.server(ThreadPoolExecutor(THREADS), handlers=[self])
        self.address = "127.0.0.1:%d" % self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()

    def close(self):
        self._server.stop(None).wait()
        self._channel.close()

    def service(self, details):
        method = details.method
        if method.endswith("/WatchGame"):
            return grpc.unary_stream_rpc_method_handler(
                lambda request, context: self._watch(method, request, context))
        return grpc.unary_unary_rpc_method_handler(
            lambda request, context: self._call(method, request, context))

    def _call(self, method, request, context):
        try:
            answer = self._channel.unary_unary(method)(request, **self._terms(context))
        except grpc.RpcError as error:
            return self._fail(error, context)
        if not method.endswith("/ListRulesets"):
            return answer
        all_of_them = ruleset_service_pb2.ListRulesetsResponse.FromString(answer)
        one = [ruleset for ruleset in all_of_them.rulesets if ruleset.ruleset_id == RULESET]
        return ruleset_service_pb2.ListRulesetsResponse(rulesets=one).SerializeToString()

    def _watch(self, method, request, context):
        stream = self._channel.unary_stream(method)(request, **self._terms(context))
        context.add_callback(stream.cancel)
        try:
            for message in stream:
                sequence = game_service_pb2.WatchGameResponse.FromString(message).event.sequence
                for _ in range({LEFT_OUT: 0, TOLD_TWICE: 2}.get(sequence, 1)):
                    yield message
        except grpc.RpcError as error:
            self._fail(error, context)

    @staticmethod
    def _terms(context):
        return {"timeout": context.time_remaining(),
                "metadata": [(key, value) for key, value in context.invocation_metadata()
                             if key == "authorization"]}

    @staticmethod
    def _fail(error, context):
        context.set_trailing_metadata([(key, value) for key, value in error.trailing_metadata()
                                       if key == "grpc-status-details-bin"])
        context.abort(error.code(), error.details())
