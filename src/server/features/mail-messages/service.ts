import { validate as isUuid } from 'uuid'
import { cutPiece } from '#server/cut-piece.ts'
import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import type { RenderableMessage, RenderedMail } from '#server/mail/rendering/render.ts'
import { openPlaceCursor, placeCursor } from '#server/place-cursor.ts'
import type { MailItem, MailKind, MailState } from '#shared/mail.ts'
import { type MailDetails, type MailPage, mailDecisionSentences, mailPageSize } from '#shared/mail-history.ts'
import { presentMessage } from './present.ts'
import { createMessagesRepository, type MessageRow, type StoredMessage } from './repository.ts'

/** Makes a message look as its recipient reads it. */
export type PreviewMessage = (
  message: RenderableMessage,
) => Promise<Pick<RenderedMail, 'subject' | 'html' | 'text'>>

interface MailMessagesOptions {
  db: Queryable
  preview: PreviewMessage
}

/** What is asked of the history; 'all' narrows nothing. */
export interface ResultsQuery {
  state: MailState | 'all'
  search: string
  cursor: string
}
export interface HistoryQuery extends ResultsQuery {
  kind: MailKind | 'all'
}

export type MailMessages = ReturnType<typeof createMailMessages>

/** What is read of messages. */
export function createMailMessages({ db, preview }: MailMessagesOptions) {
  const messages = createMessagesRepository(db)

  async function stored(id: string): Promise<StoredMessage> {
    const message = isUuid(id) ? await messages.find(id) : undefined
    if (!message) throw new AppError('not_found', { detail: mailDecisionSentences.notFound })
    return message
  }

  return {
    /** A piece of the history, newest first. @throws AppError `invalid` for a cursor that is none */
    async history({ state, kind, search, cursor }: HistoryQuery): Promise<MailPage> {
      const rows = await messages.history(
        {
          state: state === 'all' ? null : state,
          kind: kind === 'all' ? null : kind,
          search,
          after: openPlaceCursor(cursor),
        },
        mailPageSize + 1,
      )
      return pageOf(rows)
    },

    /**
     * A piece of what became of a bulk e-mail, in the order of its list.
     *
     * @throws AppError `not_found`, `invalid` for a cursor that is none
     */
    async results(batchId: string, { state, search, cursor }: ResultsQuery): Promise<MailPage> {
      if (!isUuid(batchId) || !(await messages.hasBatch(batchId))) {
        throw new AppError('not_found', { detail: mailDecisionSentences.batchNotFound })
      }
      const filters = {
        state: state === 'all' ? null : state,
        search,
        afterId: openPlaceCursor(cursor)?.id ?? null,
      }
      return pageOf(await messages.ofBatch(batchId, filters, mailPageSize + 1))
    },

    /** One message as tables show it. @throws AppError `not_found` */
    item: async (id: string): Promise<MailItem> => presentMessage(await stored(id)),

    /** One message as its recipient reads it. @throws AppError `not_found` */
    async read(id: string): Promise<MailDetails> {
      const message = await stored(id)
      const { html, text } = await preview(message)
      return { ...presentMessage(message), html, text }
    },
  }
}

function pageOf(rows: readonly MessageRow[]): MailPage {
  const { shown, last } = cutPiece(rows, mailPageSize)
  return {
    items: shown.map(presentMessage),
    nextCursor: last ? placeCursor({ at: last.createdAt, id: last.id }) : null,
  }
}
