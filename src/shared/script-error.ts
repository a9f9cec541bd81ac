/** What a page tells of a script that failed. No message, no values of an address. */
export interface ScriptError {
  /** Of the error: 'TypeError'. */
  name: string
  /** Of the build: '/assets/site-BHAfYTv4.js'; '' of the page's own. */
  script: string
  line: number
  column: number
  /** The pattern of the page's address: '/announcements/:id'. */
  route: string
}

export const scriptErrorLimits = {
  name: /^[A-Z][A-Za-z]{0,39}$/,
  script: /^(\/(assets\/)?[\w.-]{1,100}\.js)?$/,
  route: /^\/$|^(?:\/(?:[a-z-]{1,30}|:[a-zA-Z]{1,30}\??|\*)){1,12}$/,
}

export const scriptSentence =
  'A script of this page failed. Reload the page; if it happens again, use another browser.'
