import type { NodemailerError } from 'nodemailer'
import type { FieldError } from '#shared/problem.ts'
import { quote } from './smtp-trouble.ts'

interface Server {
  host: string
  port: number
  secure: boolean
}

/** Whom no clock may wait for any longer: what ends in none of these times is told with the same words. */
const patienceSeconds = 10

/** Whether an error tells of the connection: those carry a code. */
export function isConnectionError(error: unknown): error is NodemailerError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

/**
 * What it means for the form of the configuration that a mail server couldn't be spoken to: the field to mend, and
 * what to do.
 */
export function explainFailure(error: NodemailerError, server: Server): FieldError {
  const own = explainCertificate(error, server) ?? explainEncryption(error, server)
  if (own) return own
  switch (error.code) {
    case 'EAUTH':
      return explainSignIn(error, server)
    case 'EDNS':
      return { path: 'host', message: `There is no server named ${server.host}. Please check its spelling.` }
    case 'ETIMEDOUT':
      return explainSilence(error, server)
    case 'ESOCKET':
    case 'ECONNECTION':
      return explainConnection(error, server)
    default:
      return error.response === undefined
        ? {
            path: 'host',
            message: `The connection to ${server.host} failed. Please check the server and the port.`,
          }
        : explainAnswer(error.response, server)
  }
}

/** By the names that Node gives what is wrong with a certificate. */
function explainCertificate(error: NodemailerError, { host }: Server): FieldError | undefined {
  switch (causeOf(error)) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        path: 'host',
        message: `The certificate of ${host} is for another name. Please enter the name that the provider gives.`,
      }
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return {
        path: 'host',
        message: `${host} shows a self-signed certificate, which anybody could make. It needs one of a known authority.`,
      }
    case 'CERT_HAS_EXPIRED':
      return { path: 'host', message: `The certificate of ${host} has expired. Its owner must renew it.` }
    case 'CERT_NOT_YET_VALID':
      return {
        path: 'host',
        message: `The certificate of ${host} is not valid yet. Is this server’s clock right?`,
      }
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return {
        path: 'host',
        message: `The certificate of ${host} can’t be checked: the authority that issued it is not known here.`,
      }
    default:
      return undefined
  }
}

function explainEncryption(error: NodemailerError, { host, port, secure }: Server): FieldError | undefined {
  const cause = causeOf(error)
  // What a server that speaks in the clear answers to a TLS greeting reads as broken TLS.
  if (secure && /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(cause)) {
    return {
      path: 'secure',
      message: `${host} does not encrypt from the start at port ${port}. Please choose STARTTLS, or port 465.`,
    }
  }
  if (error.command === 'STARTTLS' || error.command === 'EHLO') {
    return {
      path: 'secure',
      message: `${host} offers no encryption (STARTTLS) at port ${port}. Please choose TLS with port 465, or another server.`,
    }
  }
  if (error.code !== 'ETLS' && !cause.startsWith('ERR_SSL_')) return undefined
  return {
    path: 'secure',
    message: `The connection to ${host} could not be encrypted. Please check the port and the encryption.`,
  }
}

function explainSignIn({ response, responseCode }: NodemailerError, { host }: Server): FieldError {
  if (response === undefined) {
    return {
      path: 'host',
      message: `${host} offers no way to sign in. Please check the server and the port.`,
    }
  }
  if (responseCode !== undefined && responseCode < 500) {
    return {
      path: 'emailPassword',
      message: `${host} lets nobody sign in at the moment. Please try again later. It answered: ${quote(response)}`,
    }
  }
  const advice = /(^|\.)(gmail|googlemail)\.com$/i.test(host)
    ? 'Gmail takes an app password here, not the password of the account.'
    : 'Please check both; many providers take app passwords only.'
  return { path: 'emailPassword', message: `${host} did not accept the user name and password. ${advice}` }
}

function explainSilence({ timeoutType }: NodemailerError, { host, port, secure }: Server): FieldError {
  const isConnected = timeoutType === 'GREETING_TIMEOUT'
  const advice =
    isConnected && !secure
      ? 'If it encrypts from the start, as at port 465, please choose TLS.'
      : 'Please check the server and the port.'
  return {
    path: 'port',
    message: `${host} gave no answer at port ${port} within ${patienceSeconds} seconds. ${advice}`,
  }
}

function explainConnection(error: NodemailerError, { host, port }: Server): FieldError {
  switch (causeOf(error)) {
    case 'ECONNREFUSED':
      return {
        path: 'port',
        message: `${host} refuses connections at port ${port}. Please check the port.`,
      }
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return {
        path: 'host',
        message: `${host} can’t be reached from here. Please check the server and this machine’s network.`,
      }
    default:
      return error.response === undefined
        ? {
            path: 'host',
            message: `${host} closed the connection at port ${port} without a word. Please check the port and the encryption.`,
          }
        : explainAnswer(error.response, { host, port })
  }
}

function explainAnswer(response: string, { host, port }: Pick<Server, 'host' | 'port'>): FieldError {
  return /^[45]\d\d[ -]/.test(response)
    ? { path: 'host', message: `${host} turned us away. It answered: ${quote(response)}` }
    : { path: 'port', message: `What answers at port ${port} of ${host} is not a mail server.` }
}

/** The name that the system gave the error, before nodemailer gave it its own. */
function causeOf(error: NodemailerError): string {
  return error.originalCode ?? error.code ?? ''
}
