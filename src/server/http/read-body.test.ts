import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import type { AppEnv } from './context.ts'
import { handleError } from './problem.ts'
import { readBody } from './read-body.ts'

const app = new Hono<AppEnv>()
app.onError(handleError)
app.post('/', async (c) => {
  const { fields, files } = await readBody(c, ['image', 'attachment'])
  const summaries = Object.entries(files).map(([field, file]) => [
    field,
    { text: file?.bytes.toString(), fileName: file?.fileName, mediaType: file?.mediaType },
  ])
  return c.json({ fields, files: Object.fromEntries(summaries) })
})

async function send(body: BodyInit, headers: Record<string, string> = {}) {
  const response = await app.request('/', { method: 'POST', body, headers })
  return { status: response.status, body: await response.json() }
}

function sendJson(members: unknown) {
  return send(JSON.stringify(members), { 'Content-Type': 'application/json' })
}

const hello = Buffer.from('hello').toString('base64')
const unreadable = 'This file could not be read. Please choose it again.'

describe('a form', () => {
  test('gives its texts and its files', async () => {
    const form = new FormData()
    // What looks encoded is what was typed.
    const title = '100%25 &amp; +1 \\u0041 %3Cb%3E'
    form.set('title', title)
    form.set('attachment', new File(['hello'], 'memo.txt', { type: 'text/plain' }))
    expect(await send(form)).toEqual({
      status: 200,
      body: {
        fields: { title },
        files: { attachment: { text: 'hello', fileName: 'memo.txt', mediaType: 'text/plain' } },
      },
    })
  })

  test('of a browser in which no file was chosen has none', async () => {
    const form = new FormData()
    form.set('image', new File([], ''))
    expect((await send(form)).body).toEqual({ fields: {}, files: {} })
  })

  test('with a file where a text belongs is refused by its field', async () => {
    const form = new FormData()
    form.set('title', new File(['hello'], 'memo.txt'))
    const { status, body } = await send(form)
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ path: 'title', message: unreadable }])
  })

  test('that was cut off is refused', async () => {
    const body = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nabc'
    const answer = await send(body, { 'Content-Type': 'multipart/form-data; boundary=x' })
    expect(answer.status).toBe(422)
    // The truncated field is unknown.
    expect(answer.body).toMatchObject({ detail: 'The upload arrived incomplete. Please try again.' })
    expect(answer.body.errors).toBeUndefined()
  })

  test('without its boundary is refused', async () => {
    const answer = await send('hello', { 'Content-Type': 'multipart/form-data' })
    expect(answer.status).toBe(422)
  })
})

describe('JSON', () => {
  test.each([
    ['a data URL', { image: `data:image/png;base64,${hello}` }, 'image/png'],
    ['a data URL as the prototype sends it', { imageBase64: `data:image/png;base64,${hello}` }, 'image/png'],
    ['bare base64', { imageBase64: hello }, ''],
    ['a type beside it', { imageBase64: hello, imageType: 'image/gif' }, 'image/gif'],
  ])('accepts a file as %s', async (_how, members, mediaType) => {
    const { body } = await sendJson({ title: 'Enlistment', ...members })
    expect(body.fields).toEqual({ title: 'Enlistment' })
    expect(body.files.image).toMatchObject({ text: 'hello', mediaType })
  })

  test('accepts the name of an attachment', async () => {
    const { body } = await sendJson({ attachmentBase64: hello, attachmentName: 'memo.txt' })
    expect(body.files.attachment.fileName).toBe('memo.txt')
  })

  test.each([null, ''])('with %j as a file has none', async (nothing) => {
    expect((await sendJson({ image: nothing })).body).toEqual({ fields: {}, files: {} })
  })

  test.each([
    'data:image/png,hello',
    'data:image/png;base64',
    'not base64!',
    'data:image/png;base64,aGVs bG8=',
    42,
  ])('with %j as a file is refused by its field', async (image) => {
    const { status, body } = await sendJson({ image })
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ path: 'image', message: unreadable }])
  })

  test.each(['{', '[]', '"text"', 'null'])('%s is no object and is refused', async (text) => {
    const { status, body } = await send(text, { 'Content-Type': 'application/json' })
    expect(status).toBe(422)
    expect(body.detail).toBe('The request could not be read. Please check its format.')
  })
})
