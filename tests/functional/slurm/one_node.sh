#!/usr/bin/env bash
# A Slurm of one node, this machine, from Debian's packages: to try what a cluster does.
#
#     apt-get install --no-install-recommends slurm-wlm munge
#     tests/functional/slurm/one_node.sh start FOLDER
#     export SLURM_CONF=FOLDER/slurm.conf
#     tests/functional/slurm/one_node.sh stop FOLDER
#
# As root, without systemd. All that it writes is in FOLDER, but for munge's key and socket.
set -euo pipefail
action=${1:?start or stop} folder=$(realpath -m "${2:?a folder}") host=$(hostname -s)

stop() {
    for name in slurmd slurmctld; do
        if [ -f "$folder/$name.pid" ]; then
            kill "$(cat "$folder/$name.pid")" 2>/dev/null || true
        fi
    done
    if [ -f "$folder/munge/pid" ]; then kill "$(cat "$folder/munge/pid")" 2>/dev/null || true; fi
}

if [ "$action" = stop ]; then
    stop
    exit
fi

mkdir -p "$folder"/{state,spool,log,tmp}
cat >"$folder/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
MinJobAge=300
KillWait=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
CONF

# munged wants folders of its own, and a key that nobody else reads.
mkdir -p "$folder/munge"
head -c 1024 /dev/urandom >"$folder/munge/key"
chmod 600 "$folder/munge/key"
chown -R munge:munge "$folder/munge"
chmod 711 "$folder" "$folder/munge"
runuser -u munge -- /usr/sbin/munged --force --socket="$folder/munge/socket" --key-file="$folder/munge/key" \
    --log-file="$folder/munge/log" --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed"

export SLURM_CONF="$folder/slurm.conf"
/usr/sbin/slurmctld -f "$SLURM_CONF"
/usr/sbin/slurmd -f "$SLURM_CONF"
for _ in $(seq 60); do
    if [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ]; then
        echo "$SLURM_CONF"
        exit
    fi
    sleep 0.5
done
tail -n 5 "$folder"/log/*.log >&2
stop
exit 1
