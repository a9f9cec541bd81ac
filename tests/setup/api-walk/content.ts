import { v7 as createId } from 'uuid'
import { createUnsubscribeTokens } from '#server/features/mail/rendering/renderer.ts'
import { storeBounce } from '#tests/factories/bounce.ts'
import { buildImage } from '#tests/factories/images.ts'
import { storeAnnouncements } from '#tests/factories/stored-announcement.ts'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { testKeys } from '../test-server.ts'
import { type Answer, component, type Reads, type Walk } from './walk.ts'

export async function walkContent({ act, server: { database } }: Walk, reads: Reads) {
  const image = new Blob([new Uint8Array(await buildImage('png'))], { type: 'image/png' })
  const { id, version } = await act('POST /announcements', {
    body: { title: 'Oath taking', content: 'On **Monday**.' },
  })
  reads.id['/announcements/'] = id
  const edited = await act('PATCH /announcements/{id}', {
    id,
    version,
    body: { title: 'Oath taking of all' },
  })
  await act('POST /announcements/preview', { body: { content: 'On **Monday**.' } })
  await act('DELETE /announcements/{id}', { id, version: edited.version })
  await act('POST /announcements/{id}/restore', { id })
  const [mailed = ''] = await storeAnnouncements(database, [
    { mailTo: 'all', mailProblem: 'No account yet.' },
  ])
  await act('POST /announcements/{id}/mail', { id: mailed })

  const slides: Answer[] = []
  const nodes: Answer[] = []
  for (const title of ['Oath taking', 'Graduation']) {
    slides.push(await act('POST /slides', { form: { title, image } }))
    nodes.push(await act('POST /org-chart/nodes', { form: { name: title, title: 'Director', image } }))
  }
  const [slide, node] = [slides[0], nodes[0]]
  await act('PATCH /slides/{id}', { id: slide?.id, version: slide?.version, body: { title: 'Oath' } })
  const shown = await act('GET /slides', { query: { all: 'true' } })
  await act('PUT /slides/order', { body: { ids: shown.items.map((one) => one.id).reverse() } })
  await act('PATCH /org-chart/nodes/{id}', { id: node?.id, version: node?.version, body: { title: 'Head' } })
  const chart = await act('GET /org-chart')
  const items = chart.items.map(({ id: own }) => ({ id: own, parentId: null })).reverse()
  await act('PUT /org-chart/order', { body: { version: chart.version, items } })
  for (const { id: own } of slides) {
    const { items: present } = await act('GET /slides', { query: { all: 'true' } })
    await act('DELETE /slides/{id}', { id: own, version: present.find((one) => one.id === own)?.version })
  }
  for (const { id: own } of nodes) {
    const { items: present } = await act('GET /org-chart')
    await act('DELETE /org-chart/nodes/{id}', {
      id: own,
      version: present.find((one) => one.id === own)?.version,
    })
  }
  await act('PUT /settings/logo', { form: { image } })
  await act('DELETE /settings/logo')
}

export async function walkMail({ act, actAs, server: { database }, sink, mark }: Walk, reads: Reads) {
  const { senderAddress, password, host, port, secure } = sink.account
  const mailAccount = { emailUser: senderAddress, emailPassword: password, host, port, secure }
  await act('POST /update-email-config', { body: mailAccount })
  await act('DELETE /mail/account')
  const { account } = await act('POST /update-email-config', { body: mailAccount })
  await act('POST /update-email-config', { version: account.version, body: mailAccount })
  await act('POST /mail/server-test', { body: { step: 'connect' } })
  const student = await storeStudent(database, { email: `${createId()}@student.example` })
  const one = { to: 'juan@example.edu.ph', subject: 'Orientation', message: 'At seven.' }
  await act('POST /send-email', { body: one })
  await act('POST /mail/test', { body: { subject: 'Orientation', message: 'At seven.' } })
  const bulk = { subject: `Drill of ${mark}`, body: 'Good day {firstName}', template: 'custom' }
  await act('POST /mail/test/bulk', { body: bulk })
  await act('POST /mail/preview', { body: { subject: 'Drill', message: 'At seven.' } })
  await act('POST /mail/audience', { body: { component } })
  await act('POST /mail/recipients/record', { body: { email: student.email } })
  const file = new File(['Email,First Name,Last Name\r\nana@example.edu.ph,Ana,Reyes\r\n'], 'people.csv')
  await act('POST /mail/recipients/file', { form: { file } })
  const recipients = [{ email: 'ana@example.edu.ph', firstName: 'Ana', lastName: 'Reyes' }]
  await act('POST /mail/batches', { body: { ...bulk, recipients } })
  await act('POST /send-bulk-emails', { body: { ...bulk, recipients } })
  await act('POST /emailService/send-welcome-email', {
    body: { email: student.email, firstName: 'Juan', lastName: 'Cruz', nstpComponent: component },
  })
  const waiting = await storeBatch(database, [{}, { state: 'failed', studentId: student.id }])
  const { id } = waiting
  reads.id['/mail/batches/'] = id
  reads.id['/mail/messages/'] = waiting.messageIds[1] ?? ''
  reads.query['/mail/announcements'] = { ids: createId() }
  await act('POST /mail/batches/{id}/pause', { id })
  await act('POST /mail/batches/{id}/resume', { id })
  await act('POST /mail/messages/{id}/send-again', { id: waiting.messageIds[1] })
  await act('POST /mail/batches/{id}/cancel', { id })
  const ended = await storeBatch(database, [{ state: 'failed' }, { state: 'unknown' }, { state: 'unknown' }])
  await act('POST /mail/messages/{id}/settle', { id: ended.messageIds[1], body: { as: 'sent' } })
  await act('POST /mail/batches/{id}/settle', { id: ended.id, body: { as: 'failed' } })
  await act('POST /mail/batches/{id}/repeat', { id: ended.id })
  await act('POST /mail/bounces/{id}/resolve', {
    id: await storeBounce(database, { messageId: waiting.messageIds[1] ?? null }),
  })
  const tokens = createUnsubscribeTokens(testKeys)
  const token = tokens.tokenOf(`${mark}@optout.example`)
  await actAs('')('POST /mail/opt-out', { body: { token, announcements: false } })
  reads.query['/mail/opt-out'] = { token }
}
