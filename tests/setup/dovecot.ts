import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Mailbox } from '#server/features/mail/mailbox-reader.ts'
import { findFreePort } from './free-port.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const program = '/usr/sbin/dovecot'
const startMs = 15_000

// Started as root: Dovecot drops root's rights.
export const hasDovecot = existsSync(program) && process.getuid?.() === 0

export interface MailServer {
  mailbox: Mailbox
  deliver: (message: string | Uint8Array) => void
  // The names contain the flags.
  files: () => string[]
  close: () => Promise<void>
}

/** Debian's Dovecot with its own configuration, folder and port; one mailbox with the password 'secret'. */
export async function startDovecot(): Promise<MailServer> {
  const folder = makeTemporaryFolder()
  const port = await findFreePort()
  const userName = 'nstp'
  const maildir = join(folder.path, 'mail', userName)
  for (const name of ['new', 'cur', 'tmp']) mkdirSync(join(maildir, name), { recursive: true })
  execFileSync('chown', ['-R', 'nobody:nogroup', join(folder.path, 'mail')])
  const configuration = join(folder.path, 'dovecot.conf')
  writeFileSync(configuration, configurationOf(folder.path, port))
  const child = spawn(program, ['-F', '-c', configuration], { stdio: 'ignore' })
  await waitForPort(port)
  let delivered = 0

  return {
    mailbox: { host: '127.0.0.1', port, userName, password: 'secret', mayConnect: () => true },
    deliver(message) {
      delivered += 1
      const path = join(maildir, 'new', `${Date.now()}.${delivered}.test`)
      writeFileSync(path, message)
      execFileSync('chown', ['nobody:nogroup', path])
    },
    files: () => ['new', 'cur'].flatMap((name) => readdirSync(join(maildir, name))),
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      folder.remove()
    },
  }
}

function configurationOf(folder: string, port: number): string {
  return `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_login_user = nobody
default_internal_user = nobody
default_internal_group = nogroup
mail_location = maildir:${folder}/mail/%u
first_valid_uid = 1
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${folder}/mail/%u
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
`
}

async function waitForPort(port: number): Promise<void> {
  for (const end = Date.now() + startMs; Date.now() < end; await sleep(50)) {
    const socket = createConnection({ host: '127.0.0.1', port })
    const isOpen = await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
  }
  throw new Error(`Dovecot did not start within ${startMs} ms`)
}
