/** A failed script, as a page reports it. There is no message, and no value of an address. */
export interface ScriptError {
  /** The name of the error: 'TypeError'. */
  name: string
  /** The path of the script in the build: '/assets/site-BHAfYTv4.js'; '' for a script in the page. */
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
