import type { TLSSocket } from 'node:tls'

/** How a connection is encrypted, and by whose certificate, as a sentence for the log of a conversation. */
export function describeEncryption(socket: TLSSocket): string {
  const { subject, issuer, valid_to: end } = socket.getPeerCertificate()
  const protocol = socket.getProtocol() ?? 'TLS'
  if (!subject) return `Encrypted with ${protocol}.`
  const name = nameOf(subject.CN)
  const authority = nameOf(issuer.O ?? issuer.CN)
  return `Encrypted with ${protocol}. The certificate of ${name} was issued by ${authority} and is valid until ${end}.`
}

/** A name may stand in a certificate more than once. */
function nameOf(name: string | string[] | undefined): string {
  return [name].flat().find((one) => one !== undefined && one !== '') ?? 'an unnamed owner'
}
