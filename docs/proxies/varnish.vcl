# Varnish in front of a graphwire server on port 4000.
vcl 4.1;

backend graphwire {
  .host = "127.0.0.1";
  .port = "4000";
  .probe = { .url = "/readyz"; }
}

sub vcl_recv {
  # A target such as https://host/metrics would match no path below.
  if (req.url !~ "^/") {
    return (synth(400));
  }
  # Replace what the client may have sent; by default Varnish adds to it.
  set req.http.X-Forwarded-For = client.ip;
  # What --metrics serves is not for clients: Prometheus reads it from the server.
  if (req.url ~ "^/metrics(\?|$)") {
    return (synth(404));
  }
  # An unknown method becomes a pipe: a tunnel without a log or keep-alive.
  if (req.method == "QUERY") {
    return (pass);
  }
  # Varnish knows Authorization and Cookie, but not your own headers.
  if (req.http.X-API-Key) {
    return (pass);
  }
}

sub vcl_backend_response {
  # Without a stated lifetime Varnish would store a response for two minutes.
  if (beresp.status != 200 || beresp.http.Cache-Control !~ "max-age") {
    set beresp.uncacheable = true;
  }
  # Serve nothing beyond the lifetime that the application states.
  set beresp.grace = 0s;
  # Keeps it longer, to ask with its ETag: 304 if the response is still the same.
  set beresp.keep = 1h;
}
