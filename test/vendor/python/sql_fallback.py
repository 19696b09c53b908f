"""wherobots-python-dbapi: a person who may have one session."""

import os

from work import report, work

from wherobots.db import connect

host, key = os.environ["WHEROBOTS_HOST"], os.environ["WHEROBOTS_API_KEY"]


@work
def beyond_the_quota():
    with connect(host=host, api_key=key, runtime="tiny", region="aws-us-west-2") as same:
        with connect(host=host, api_key=key, runtime="medium") as other:
            return [same.session_fallback, other.session_fallback]


report()
