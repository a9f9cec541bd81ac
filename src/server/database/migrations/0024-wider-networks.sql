-- An IPv6 network of 64 bits may be one person's line.
update students set network = regexp_replace(network, '^(([^:]+:){3}).*$', '\1:/48') where network like '%/64';
