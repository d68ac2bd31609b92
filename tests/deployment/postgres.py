"""A PostgreSQL server and its PgBouncer, which can be a primary or a replica of another one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import psycopg

from masthead.testing.postgres import find_binaries
from tests.deployment.files import DATABASE_PASSWORD, Files
from tests.deployment.programs import Program, find, listens, unprivileged_user, wait_until

REPLICATOR = "another password"
_QUICK = ("-c", "fsync=off")  # the data is temporary, and a killed process loses none of it


class DatabaseMachine:
    """A machine with PostgreSQL and PgBouncer, as the files of the reference deployment say."""

    def __init__(self, files: Files, folder: Path, address: str) -> None:
        self.address = address
        self.folder = folder
        self._files = files
        self._data = folder / "data"
        self._user = unprivileged_user()
        self._binaries = find_binaries()
        folder.mkdir()
        if self._user is not None:
            os.chown(folder, self._user, -1)
        self._paths = {"/var/run/postgresql": str(folder), "/etc/pgbouncer": str(folder)}
        environ = dict(os.environ)
        server = [self._binaries / "postgres", "-D", self._data, "-k", folder, *_QUICK]
        self.postgres = Program(server, folder / "postgres.log", environ, self._user)
        pooler = [find("pgbouncer") or "pgbouncer", folder / "pgbouncer.ini"]
        self.pgbouncer = Program(pooler, folder / "pgbouncer.log", environ, self._user)

    def create(self) -> None:
        """Create a primary with an empty database for Masthead."""
        options = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self._run([self._binaries / "initdb", "-D", self._data, *options])
        with (self._data / "postgresql.conf").open("a") as configuration:
            configuration.write("include_dir = 'conf.d'\n")
        (self._data / "conf.d").mkdir()
        self._configure()
        self.start()
        for statement in (
            f"CREATE ROLE masthead LOGIN PASSWORD '{DATABASE_PASSWORD}'",
            f"CREATE ROLE replicator LOGIN REPLICATION PASSWORD '{REPLICATOR}'",
            "CREATE DATABASE masthead OWNER masthead",
        ):
            self.execute(statement)

    def copy(self, primary: DatabaseMachine) -> None:
        """Make this machine a replica of another one, and let that one wait for it."""
        shutil.rmtree(self._data, ignore_errors=True)
        source = ["-h", primary.address, "-U", "replicator", "-c", "fast", "--no-sync"]
        copy = [self._binaries / "pg_basebackup", "-D", self._data, "-R", *source]
        self._run(copy, PGPASSWORD=REPLICATOR)
        (self._data / "conf.d" / "primary.conf").unlink(missing_ok=True)
        self._configure()
        self.start()
        self._wait_for_replica(primary, "streaming")
        primary.acknowledge_with_replica()

    def acknowledge_with_replica(self) -> None:
        """Let each commit of this primary wait until its replica has it too."""
        self._write("primary.conf", self._data / "conf.d")
        os.kill(self.postgres.pid, signal.SIGHUP)
        self._wait_for_replica(self, "sync")

    def promote(self) -> None:
        """Make this replica the primary, by the script of the reference deployment."""
        script = self._write("promote.sh", self.folder)
        script.chmod(0o755)
        path = f"{self._binaries}{os.pathsep}{os.environ['PATH']}"
        self._run([script], PGHOST=str(self.folder), PGUSER="postgres", PATH=path)

    def start(self) -> None:
        """Start PostgreSQL and PgBouncer, and wait until both accept connections."""
        self.start_postgres()
        self._write("pgbouncer.ini", self.folder)
        self._write("userlist.txt", self.folder)
        self.pgbouncer.stop()
        self.start_pgbouncer()

    def start_postgres(self) -> None:
        """Start PostgreSQL, and wait until it accepts connections."""
        self.postgres.start()
        wait_until(self._answers, self.postgres.log)

    def start_pgbouncer(self) -> None:
        """Start PgBouncer, and wait until it accepts connections."""
        self.pgbouncer.start()
        wait_until(lambda: listens(self.address, 6432), self.pgbouncer.log)

    def stop(self) -> None:
        """Stop both."""
        self.pgbouncer.stop()
        self.postgres.stop(signal.SIGQUIT)

    def execute(self, statement: str) -> list[tuple[object, ...]]:
        """Execute a statement as the superuser, and return its rows."""
        url = f"postgresql://postgres@/postgres?host={self.folder}"
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def _answers(self) -> bool:
        try:
            self.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def _wait_for_replica(self, primary: DatabaseMachine, state: str) -> None:
        asked = f"SELECT 1 FROM pg_stat_replication WHERE '{state}' IN (state, sync_state)"
        wait_until(lambda: primary.execute(asked), primary.postgres.log)

    def _configure(self) -> None:
        self._write("postgresql.conf", self._data / "conf.d", "masthead.conf")
        self._write("pg_hba.conf", self._data)

    def _write(self, name: str, folder: Path, as_name: str = "") -> Path:
        written = self._files.write(name, folder / (as_name or name), self._paths, self.address)
        if self._user is not None:
            os.chown(written, self._user, -1)
        return written

    def _run(self, command: list[str | Path], **environ: str) -> None:
        ended = subprocess.run(
            command,
            env=os.environ | environ,
            user=self._user,
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr.decode()
