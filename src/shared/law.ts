/** Where the text of Republic Act 9163 can be read: the law that the office works by. */
export const nstpLawAddress = 'https://lawphil.net/statutes/repacts/ra2002/ra_9163_2002.html'
