-- A deletion looks for the open requests that it answers; the screen Privacy and Needs attention read the others too.
create index privacy_requests_open on privacy_requests (reference) where closed_on is null;
