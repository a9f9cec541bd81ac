/** Shown if there is no e-mail account. This is a separate file: public pages would load all sentences of the administration. */
export const notConfigured = 'Email service is not configured.'
