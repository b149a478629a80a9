create table persons (
  id {id},
  name text not null,
  age integer,
  email text,
  version integer default 1 not null
);

-- References are deferred, so that a person can be deleted first, which locks it against new friendships.
create table addresses (
  person_id bigint primary key,
  street text,
  city text,
  country text,
  constraint address_of foreign key (person_id) references persons (id) deferrable initially deferred
);

-- A friendship is two rows, one for each side.
create table friendships (
  person_id bigint not null,
  friend_id bigint not null,
  constraint friendships_key primary key (person_id, friend_id),
  constraint friend_of_another check (person_id <> friend_id),
  constraint friendship_of foreign key (person_id) references persons (id) deferrable initially deferred,
  constraint friendship_with foreign key (friend_id) references persons (id) deferrable initially deferred
);
create index friendships_by_friend on friendships (friend_id);

-- No foreign key: messages stay when a person is deleted.
create table messages (
  id {id},
  to_id bigint not null,
  text text not null,
  sent_at text not null
);

-- Only hashes of keys are stored.
create table api_keys (
  name {name} primary key not null,
  hash text not null unique,
  scopes text not null,
  limit_per_minute integer,
  created_at text not null,
  revoked_at text
);
create table key_usage (
  key_name {name} not null,
  day text not null,
  used bigint not null,
  constraint key_usage_key primary key (key_name, day)
);
create table logins (
  login {name} primary key not null,
  password_hash text not null,
  scopes text not null,
  created_at text not null
);
