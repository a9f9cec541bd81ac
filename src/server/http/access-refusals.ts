import { createMiddleware } from 'hono/factory'
import type { NoteRefusal } from '#server/lib/audit.ts'
import { actorOf } from './actor.ts'
import type { AppEnv } from './context.ts'

export function accessRefusals(noteRefusal: NoteRefusal) {
  return createMiddleware<AppEnv>(async (c, next) => {
    c.set('noteAccessRefused', async (path) => {
      await noteRefusal({ action: 'access-refused', actor: await actorOf(c), what: path })
    })
    await next()
  })
}
