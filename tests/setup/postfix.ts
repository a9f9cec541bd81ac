import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import { findFreePort } from './free-port.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const program = '/usr/sbin/postfix'
const installer = '/usr/bin/apt-get'

// Needs root, and apt where Postfix isn't installed yet.
export const hasPostfix = process.getuid?.() === 0 && (existsSync(program) || existsSync(installer))

export interface Postfix {
  account: SendingAccount
  start: () => Promise<void>
  stop: () => void
  /** The Message-IDs in the mailbox, with duplicates. */
  delivered: () => string[]
  isIdle: () => boolean
  close: () => void
}

/** Debian's Postfix with its own configuration, queue and port; all mail is delivered to one maildir. */
export async function preparePostfix(): Promise<Postfix> {
  if (!existsSync(program)) install()
  const folder = makeTemporaryFolder()
  const port = await findFreePort()
  const at = (name: string) => join(folder.path, name)
  for (const name of ['etc', 'queue', 'data', 'mail']) mkdirSync(at(name))
  execFileSync('chown', ['postfix', at('data')])
  execFileSync('chown', ['nobody', at('mail')])
  writeFileSync(at('etc/main.cf'), mainOf(folder.path))
  writeFileSync(at('etc/master.cf'), masterOf(port))
  const run = (command: 'start' | 'stop') =>
    void execFileSync(program, ['-c', at('etc'), command], { stdio: 'ignore' })
  let isRunning = false

  return {
    account: {
      mayConnect: () => true,
      senderAddress: 'office@school.example',
      senderName: '',
      userName: 'office@school.example',
      password: 'not asked for',
      host: '127.0.0.1',
      port,
      secure: false,
    },
    async start() {
      // After a stop, processes that finish their session still hold the port. One that was about to queue a message tries
      // for 100 s (`mail_connect_wait` of Postfix).
      for (const end = Date.now() + 150_000; !isRunning; await sleep(500)) {
        try {
          run('start')
          isRunning = true
        } catch (error) {
          if (Date.now() > end) throw error
        }
      }
    },
    stop() {
      run('stop')
      isRunning = false
    },
    delivered() {
      const box = at('mail/all/new')
      if (!existsSync(box)) return []
      return readdirSync(box).map((name) => {
        const message = readFileSync(join(box, name), 'utf8')
        return /^Message-ID: <([^@>]+)@/im.exec(message)?.[1] ?? ''
      })
    },
    isIdle: () => !['incoming', 'active', 'deferred'].some((name) => hasMail(at(`queue/${name}`))),
    close() {
      if (isRunning) run('stop')
      folder.remove()
    },
  }
}

// Postfix marks a complete queue file as executable.
function hasMail(folder: string): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && (statOf(join(entry.parentPath, entry.name))?.mode ?? 0) & 0o100,
  )
}

// Undefined for a file delivered meanwhile.
function statOf(path: string) {
  return statSync(path, { throwIfNoEntry: false })
}

// Without a configuration, so that the machine's own mail server doesn't start.
function install(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('debconf-set-selections', {
    input: 'postfix postfix/main_mailer_type select No configuration\n',
    env,
  })
  execFileSync(installer, ['install', '-y', '--no-install-recommends', 'postfix'], { stdio: 'ignore', env })
}

function mainOf(folder: string): string {
  return `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
maillog_file = ${folder}/queue/log
maillog_file_prefixes = ${folder}
mail_owner = postfix
setgid_group = postdrop
myhostname = mail.school.example
inet_interfaces = 127.0.0.1
mydestination =
mynetworks = 127.0.0.0/8
smtpd_tls_security_level = none
smtpd_peername_lookup = no
virtual_mailbox_domains = student.example
virtual_mailbox_maps = static:all/
virtual_mailbox_base = ${folder}/mail
virtual_minimum_uid = 1
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
`
}

function masterOf(port: number): string {
  return `
127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
virtual unix - n n - - virtual
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`
}
