// Security: a change sends the topic's name, never data.
export const publicTopics = ['announcements', 'slides', 'org-chart', 'settings'] as const
// Security: sent only to a signed-in administrator.
export const adminTopics = ['students', 'imports', 'mail', 'mail-account', 'session'] as const

export type Topic = (typeof publicTopics)[number] | (typeof adminTopics)[number]
