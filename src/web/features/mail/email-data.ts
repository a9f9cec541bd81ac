import { useQuery } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import type { Location } from 'react-router'
import { mailSentences, mailStates } from '#shared/mail/mail.ts'
import { maxMailSearch } from '#shared/mail/mail-history.ts'
import type { MailQueueStatus } from '#shared/mail/mail-response.ts'
import { useAccount } from '#web/lib/account.ts'
import { createAddress, parseAsSearch } from '#web/lib/address.ts'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { adminPath } from '#web/lib/next-path.ts'
import { pollWhile } from '#web/lib/query.ts'

type MailConfiguration = InferResponseType<typeof api.mail.account.$get, 200>

/** The frame for people who can't read the account. They do see what stops mail. */
function frameOfOthers({ isConfigured, hasPublicAddress }: MailQueueStatus): MailConfiguration {
  return {
    account: null,
    defaults: { host: '', port: 0, secure: true },
    status: isConfigured
      ? { isConfigured, status: 'ok', message: 'An administrator has set up the e-mail account.' }
      : {
          isConfigured,
          status: 'not_configured',
          message: `${mailSentences.notConfigured} An administrator sets up the e-mail account.`,
        },
    publicAddress: hasPublicAddress ? 'unknown' : '',
    isFixed: true,
  }
}

/** What all panes have above them. */
export function useEmailFrame() {
  const { can } = useAccount()
  return useQuery({
    queryKey: ['mail', 'frame'],
    meta: { topics: ['mail-account', 'settings'] },
    async queryFn({ signal }) {
      const init = { init: { signal } }
      const [configuration, queue, { openCount }] = await Promise.all([
        can('mail.account') ? callApi(api.mail.account.$get(undefined, init)) : null,
        callApi(api.mail.queue.$get(undefined, init)),
        callApi(api.mail.bounces.$get({ query: {} }, init)),
      ])
      return { ...(configuration ?? frameOfOthers(queue)), queue, returned: openCount }
    },
    // Waiting messages that have no time to finish and no problem are of a paused batch: they need no polling.
    refetchInterval: (query) =>
      pollWhile(
        query,
        ({ status, queue: { counts, finishesAt, trouble } }) =>
          status.isConfigured && (counts.sending > 0 || finishesAt !== null || trouble !== ''),
      ),
  })
}

export type EmailFrameData = NonNullable<ReturnType<typeof useEmailFrame>['data']>

export const emailPanes = ['single', 'bulk', 'server', 'outbox', 'returned'] as const
export type EmailPane = (typeof emailPanes)[number]

export const emailAddress = createAddress(tabPath('email'), {
  pane: parseAsStringLiteral(emailPanes).withDefault('single'),
})

/** @param pane any by default */
export function isAtEmail({ pathname, search }: Location, pane?: EmailPane): boolean {
  return (
    pathname === adminPath &&
    tabOf(search) === 'email' &&
    (pane === undefined || emailAddress.read(search).pane === pane)
  )
}

/** The address of a list of messages, of which one may be open. */
export const messagesParsers = {
  state: parseAsStringLiteral(['all', ...mailStates]).withDefault('all'),
  search: parseAsSearch(maxMailSearch),
  cursor: parseAsString.withDefault(''),
  message: parseAsString.withDefault(''),
}
