// The reference for mail: nodemailer alone, one message after the other over one connection.

import { createTransport } from 'nodemailer'
import type { SendingAccount } from '#server/features/mail/mailer.ts'

interface Order {
  account: SendingAccount
  messages: number
}

const { account, messages }: Order = JSON.parse(process.argv[2] ?? '')
const { host, port, secure, userName: user, password: pass, senderAddress } = account
const transport = createTransport({
  pool: true,
  maxConnections: 1,
  maxMessages: Number.POSITIVE_INFINITY,
  host,
  port,
  secure,
  auth: { user, pass },
})
for (let number = 0; number < messages; number++) {
  await transport.sendMail({
    from: senderAddress,
    to: `recipient-${number}@student.example`,
    subject: 'Drill on Saturday',
    text: 'Please come at seven.',
    html: '<p>Please come at seven.</p>',
  })
}
transport.close()
