-- A person has one address at most: it is part of its row.
alter table persons add column street text;
alter table persons add column city text;
alter table persons add column country text;
update persons set street = a.street, city = a.city, country = a.country
  from addresses a where a.person_id = persons.id;
drop table addresses;
