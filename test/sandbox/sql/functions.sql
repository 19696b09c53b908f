-- What Sedona and Spark have and PostGIS does not, or otherwise: it knows no SRID of a point, for one.
CREATE DOMAIN string AS text;
CREATE DOMAIN double AS double precision;
CREATE DOMAIN long AS bigint;
CREATE DOMAIN tinyint AS smallint;
CREATE DOMAIN timestamp_ntz AS timestamp;
CREATE FUNCTION st_geomfromwkt(text) RETURNS geometry IMMUTABLE LANGUAGE sql AS $$ SELECT public.ST_GeomFromText($1) $$;
CREATE FUNCTION st_geomfromwkt(text, integer) RETURNS geometry IMMUTABLE LANGUAGE sql AS $$ SELECT public.ST_GeomFromText($1) $$;
CREATE FUNCTION st_geomfromgeojson(text) RETURNS geometry IMMUTABLE LANGUAGE sql AS $$ SELECT public.ST_SetSRID(public.ST_GeomFromGeoJSON($1), 0) $$;
CREATE FUNCTION st_setsrid(geometry, integer) RETURNS geometry IMMUTABLE LANGUAGE sql AS $$ SELECT $1 $$;
CREATE FUNCTION st_point(double precision, double precision, integer) RETURNS geometry IMMUTABLE LANGUAGE sql AS $$ SELECT public.ST_Point($1, $2) $$;
CREATE FUNCTION st_polygonfromenvelope(double precision, double precision, double precision, double precision) RETURNS geometry IMMUTABLE LANGUAGE sql AS $$ SELECT public.ST_MakeEnvelope($1, $2, $3, $4) $$;
CREATE FUNCTION st_dwithin(geometry, geometry, double precision, boolean) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$ SELECT CASE WHEN $4 THEN public.ST_DistanceSphere(public.ST_Centroid($1), public.ST_Centroid($2)) <= $3 ELSE public.ST_DWithin($1, $2, $3) END $$;
CREATE FUNCTION if(boolean, double precision, double precision) RETURNS double precision IMMUTABLE LANGUAGE sql AS $$ SELECT CASE WHEN $1 THEN $2 ELSE $3 END $$;
CREATE FUNCTION date_sub(date, integer) RETURNS date IMMUTABLE LANGUAGE sql AS $$ SELECT $1 - $2 $$;
CREATE FUNCTION date_add(date, integer) RETURNS date IMMUTABLE LANGUAGE sql AS $$ SELECT $1 + $2 $$;
CREATE FUNCTION year(timestamptz) RETURNS integer IMMUTABLE LANGUAGE sql AS $$ SELECT extract(year FROM $1 AT TIME ZONE 'UTC')::integer $$;
CREATE FUNCTION month(timestamptz) RETURNS integer IMMUTABLE LANGUAGE sql AS $$ SELECT extract(month FROM $1 AT TIME ZONE 'UTC')::integer $$;
CREATE FUNCTION tables_in(place text) RETURNS TABLE (catalog text, namespace text, "tableName" text, "isTemporary" boolean) STABLE LANGUAGE sql AS $$ SELECT c, n, t, false FROM (SELECT split_part(schemaname, '.', 1) AS c, split_part(schemaname, '.', 2) AS n, tablename AS t FROM pg_tables WHERE schemaname LIKE '%.%') AS known WHERE lower(replace(place, '"', '')) IN ('', c, n, c || '.' || n) $$;
