import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

interface IssuedCertificate {
  key: string
  cert: string
}

export interface Authority {
  path: string
  /** @param name the certificate's subject, as 'IP:127.0.0.2' or 'DNS:mail.school.example' */
  issue: (name: string) => IssuedCertificate
}

/** Makes a certificate authority that no program trusts yet. Its certificates are valid for a day. */
export function createAuthority(folder: string): Authority {
  let issued = 0
  const inFolder = (name: string) => join(folder, name)
  const openssl = (args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = (name: string) => ['-subj', `/O=NSTP test/CN=${name}`]
  openssl([
    ...['req', '-x509', ...newKey, ...subject('Authority')],
    ...['-keyout', 'authority.key', '-out', 'authority.pem', '-days', '1'],
  ])
  return {
    path: inFolder('authority.pem'),
    issue(name) {
      issued += 1
      const file = (kind: string) => `${issued}.${kind}`
      const [key, request, cert, extensions] = [file('key'), file('csr'), file('pem'), file('txt')]
      writeFileSync(inFolder(extensions), `basicConstraints=CA:FALSE\nsubjectAltName=${name}\n`)
      openssl(['req', '-new', ...newKey, ...subject('Mail server'), '-keyout', key, '-out', request])
      openssl([
        ...['x509', '-req', '-in', request, '-out', cert, '-days', '1', '-extfile', extensions],
        ...['-CA', 'authority.pem', '-CAkey', 'authority.key', '-set_serial', String(issued)],
      ])
      return {
        key: readFileSync(inFolder(key), 'utf8'),
        cert: readFileSync(inFolder(cert), 'utf8'),
      }
    },
  }
}
