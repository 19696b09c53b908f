"""wherobots-python-sdk: files, and the storages behind scripts and dependencies."""

import pathlib

from work import report, work

from wherobots import FilesAPI, Job, Wherobots, WherobotsConfig

client = Wherobots(region="aws-us-west-2")
drive = client.files.my_files
storages = FilesAPI.from_config(WherobotsConfig.from_env())

local = pathlib.Path("größe 1.csv")
local.write_text("id\n1\n")
script = pathlib.Path("script.py")
script.write_text("print(1)\n")
wheel = pathlib.Path("helpers-1.0-py3-none-any.whl")
wheel.write_text("wheel")


def names(path=""):
    return [[entry.name, entry.is_dir, entry.size] for entry in drive.list_directory(path)]


@work
def root():
    return {"entries": names(), "storage": drive.storage_id}


@work
def folders_made():
    drive.make_directory("vendor/deep/er")
    return [names("vendor"), names("vendor/deep/"), names("/vendor/deep/er")]


@work
def folders_made_again():
    drive.make_directory("vendor/deep/er")


@work
def uploaded():
    return {"destination": drive.upload_file(local, "vendor/größe 1.csv"), "entries": names("vendor")}


@work
def uploaded_with_slash():
    return drive.upload_file(local, "/vendor/again.csv")


@work
def renamed():
    drive.rename_file("vendor/größe 1.csv", "50 % # ?.csv")
    return names("vendor")


@work
def renamed_missing():
    drive.rename_file("vendor/nothing.csv", "something.csv")


@work
def downloaded():
    return drive.download_file("vendor/again.csv", "fetched.csv").read_text()


@work
def deleted():
    drive.delete_file("vendor/again.csv")
    drive.delete_directory("vendor/deep")
    return names("vendor")


@work
def missing():
    drive.list_directory("vendor/nowhere")


@work
def many():
    """More than a page holds."""
    return len(drive.list_directory("many"))


@work
def storage_list():
    return [
        {
            "default": each.default_directory is not None,
            "id": each.id,
            "managed": each.is_managed,
            "path": each.path,
            "region": each.region,
        }
        for each in storages.list_integrations()
    ]


@work
def credentials():
    managed = storages.get_managed_storage()
    path = storages.dest_uri_for(managed, "a.txt", "scripts")
    kinds = {}
    for mode in ("read", "read_write"):
        found = storages.get_storage_credentials(path, access_mode=mode)
        kinds[mode] = {
            "expired": found.is_expired(),
            "expires": found.expiration,
            "key": found.access_key_id[:4],
            "region": found.region,
            "token": len(found.session_token) > 0,
        }
    return {"modes": kinds, "path": path}


@work
def credentials_of_strangers():
    storages.get_storage_credentials("s3://somebody-else/file")


@work
def run_of_local_files():
    """The script and the wheel travel to the storage of the organization first."""
    dependency = Job.add_file_dependency(str(wheel))
    with Job(str(script), "vendor-local-files", dependencies=[dependency]) as job:
        job.submit()
        view = job.get_status()
        return {"script": view.run_python.uri, "wheel": view.environment.dependencies[0]["filePath"]}


@work
def into_an_integration():
    return storages.upload_dependency(
        str(wheel), storage_integration="acme-jobs", dest_subdir="lib/v1"
    )


report()
