/** Without an e-mail account. In a file of its own: public pages would load all of the administration's sentences. */
export const notConfigured = 'Email service is not configured.'
