-- The body is JSON; null when the person has been removed. The position is null until it is given, behind those of all
-- changes that were committed before.
create table changes (
  id {id},
  position bigint unique,
  kind text not null,
  person_id bigint not null,
  body text,
  changed_at text not null
);
create index changes_by_person on changes (person_id);

-- One row with the position of the last change.
create table change_clock (position bigint not null);
insert into change_clock (position) values (0);
{placing};
