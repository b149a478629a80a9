-- The responses to requests with an Idempotency-Key; headers are a flat list as JSON.
create table idempotency_keys (
  principal {name} not null,
  key {name} not null,
  fingerprint text not null,
  status integer not null,
  headers text not null,
  body text not null,
  created_at text not null,
  constraint idempotency_keys_key primary key (principal, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Who has written which person. No foreign key: entries stay when a person is deleted.
create table audit (
  id {id},
  at text not null,
  principal {name} not null,
  operation text not null,
  person_id bigint not null,
  version_before integer,
  version_after integer,
  request_id text not null
);
create index audit_by_person on audit (person_id, id);
create index audit_by_age on audit (at);
