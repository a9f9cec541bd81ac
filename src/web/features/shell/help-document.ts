/** What Help & Support opens: the text of the law that the office works by. */
export const helpDocument = 'https://lawphil.net/statutes/repacts/ra2002/ra_9163_2002.html'
