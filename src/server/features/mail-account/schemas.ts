import { z } from '@hono/zod-openapi'
import { mailServiceStatusBody } from '#server/http/mail-status-schema.ts'

export const mailAccountBody = z
  .object({
    senderAddress: z.string(),
    senderName: z.string().openapi({ description: "Empty for the school's name." }),
    userName: z.string().openapi({ description: "Empty for the sender's address." }),
    host: z.string(),
    port: z.number().int(),
    secure: z.boolean().openapi({ description: 'TLS from the first byte; else STARTTLS is demanded.' }),
    imapHost: z.string().openapi({ description: 'Where returned mail is read; empty for nowhere.' }),
    imapPort: z.number().int(),
    version: z.number().int(),
  })
  .openapi('MailAccount')

export const mailConfigurationBody = z
  .object({
    account: mailAccountBody.nullable().openapi({ description: 'Never with its password.' }),
    defaults: z.object({ host: z.string(), port: z.number().int(), secure: z.boolean() }),
    status: mailServiceStatusBody,
  })
  .openapi('MailConfiguration')

export const changedAccountBody = z
  .object({ success: z.literal(true), message: z.string(), account: mailAccountBody })
  .openapi('ChangedMailAccount')
