using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .graphql)],
  sockets = [(name = "http", address = "localhost:4000", http = (), service = "main")],
);

const graphql :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "dist/worker.js")],
  compatibilityDate = "2026-11-01",
  # Sources of subscriptions are returned when their client disconnects.
  compatibilityFlags = ["enable_request_signal"],
);
