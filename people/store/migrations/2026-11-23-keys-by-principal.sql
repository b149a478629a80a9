-- To count the keys of a principal without reading their responses.
create index idempotency_keys_by_principal on idempotency_keys (principal, created_at);
