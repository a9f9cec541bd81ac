import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { composeMessage } from './message.ts'
import { openSession, smtpLimits } from './session.ts'

const recipient = 'ana@student.example'
const intruder = 'intruder@elsewhere.example'

const lineBreaks = ['\r\n', '\n', '\r', '\r\n ', '\n\t', '\u2028', '\u0085', '\0', '%0d%0a', '=0D=0A=']
const inTexts = [
  ...lineBreaks.map((lineBreak) => `Drill${lineBreak}Bcc: ${intruder}`),
  `Drill\r\n\r\nAnother body`,
  `Drill\r\n.\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<${intruder}>\r\nDATA`,
  `=?utf-8?Q?Drill=0D=0ABcc:_${intruder}?=`,
  `Drill\r\nTo: ${intruder}\r\nContent-Type: text/html`,
  '\u202eDrill',
]
const asRecipients = [
  ...lineBreaks.slice(0, 8).map((lineBreak) => `${recipient}${lineBreak}Bcc: ${intruder}`),
  `${recipient},${intruder}`,
  `${recipient}; ${intruder}`,
  `${recipient} ${intruder}`,
  `<${recipient}>, <${intruder}>`,
  `"Ana" <${intruder}>`,
  `${recipient}>\r\nRCPT TO:<${intruder}`,
  `group:${recipient},${intruder};`,
  `${recipient}(${intruder})`,
  `"${recipient},"@elsewhere.example`,
  `@relay.example:${intruder}`,
  '',
]

describe('a message', () => {
  let sink: MailSink

  beforeAll(async () => {
    sink = await startMailSink()
  })
  afterAll(() => sink.close())
  beforeEach(() => sink.reset())

  async function send({ to = recipient, subject = 'Drill', name = 'Office', text = 'See you.' }) {
    const message = await composeMessage({
      id: '018f3c00',
      from: { name, address: sink.account.senderAddress },
      to,
      date: new Date('2026-11-21T08:00:00Z'),
      subject,
      html: `<p>${text}</p>`,
      text,
      headers: {},
      attachments: [],
    })
    const session = await openSession({
      account: sink.account,
      limits: smtpLimits,
      deadline: AbortSignal.timeout(10_000),
    })
    expect(await session.send(message, AbortSignal.timeout(10_000))).toEqual({ end: 'sent' })
    session.close()
    const [taken, ...others] = sink.messages
    expect(others).toEqual([])
    if (!taken) throw new Error('what was sent was taken')
    return { taken, parsed: await PostalMime.parse(taken.raw) }
  }

  const headersOf = (raw: string) => {
    const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
    return head.split('\r\n').map((line) => line.slice(0, line.indexOf(':')))
  }
  const ownHeaders = ['From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Content-Type']

  test.each(inTexts.map((text) => [JSON.stringify(text), text]))(
    'with %s as subject, name and text reaches one recipient and has no other header',
    async (_, hostile) => {
      for (const field of ['subject', 'name', 'text']) {
        sink.reset()
        const { taken, parsed } = await send({ [field]: hostile })
        expect(taken.to).toEqual([recipient])
        expect(headersOf(taken.raw).sort()).toEqual([...ownHeaders].sort())
        expect(parsed.to?.map(({ address }) => address)).toEqual([recipient])
        expect([parsed.cc, parsed.bcc]).toEqual([undefined, undefined])
      }
    },
  )

  test.each(asRecipients.map((text) => [JSON.stringify(text), text]))(
    'to %s is refused',
    async (_, hostile) => {
      await expect(send({ to: hostile })).rejects.toThrow('The recipient is not an e-mail address.')
      expect(sink.messages).toEqual([])
    },
  )

  test('reads no file and no URL', async () => {
    const { parsed } = await send({ text: 'file:///etc/passwd <img src="file:///etc/passwd">' })
    expect(parsed.text).toContain('file:///etc/passwd')
    expect(parsed.attachments).toEqual([])
  })

  test('has the id of its row and the sender’s domain as Message-ID', async () => {
    const { taken } = await send({})
    expect(taken.raw).toContain('Message-ID: <018f3c00@school.example>')
  })
})
