"""wherobots-catalog: the catalogs of an organization, over the API and over its Iceberg catalog."""

from work import given, report, work

from wherobots.catalog import login

catalogs = login(api_base_url=given["api"], catalog_base_url=given["iceberg"])


@work
def listed():
    return catalogs.list_catalogs()


@work
def namespaces():
    return [list(name) for name in catalogs["org_catalog"].list_namespaces()]


@work
def tables():
    return catalogs["org_catalog.noaa"].list_tables()


@work
def foreign():
    return catalogs["lake_glue"].list_namespaces()


@work
def unknown():
    return catalogs["nothing"]


report()
