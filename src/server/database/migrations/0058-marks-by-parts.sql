-- What the mark of a component is made of. A term without a row has the scheme of the term before it.
create table mark_schemes (
  term_id uuid not null references terms (id) on delete cascade,
  component text not null check (component in ('ROTC', 'CWTS', 'LTS')),
  -- Parts, minimums and scale; null: marks are typed.
  scheme jsonb,
  primary key (term_id, component)
);

-- Scores by the key of their part. A part without one has no score, which isn't 0. What a mark was entered with is in `parts`.
alter table enrolments add column scores jsonb not null default '{}';
