/** What a message's template is filled with; kept with the message as JSON, and rendered when it is sent. */
export type MailContent =
  | { template: 'welcome'; values: WelcomeValues }
  | { template: 'message'; body: string; format: BodyFormat }
  /** The text is the batch's; these values stand in for its placeholders. */
  | {
      template: 'batch'
      values: PlaceholderValues
      /** The recipient's place in the list that somebody sent, counted from 0; its address may change meanwhile. */
      position?: number
    }
  /** A bulk e-mail as one of its recipients will read it, to oneself. What it is filled with finds and names no message. */
  | { template: 'sample'; name: string; body: string; format: BodyFormat; filledWith: PlaceholderValues }
  | { template: 'test' }

export type BodyFormat = 'text' | 'html'

export interface WelcomeValues {
  firstName: string
  lastName: string
  nstpComponent: string
  /** '' where another program asked for the mail and knows none. */
  reference: string
}

/** By the names that stand in braces: `{firstName}`. A recipient from a list has the first only. */
export interface PlaceholderValues {
  firstName: string
  lastName?: string | undefined
  component?: string | undefined
  course?: string | undefined
  academicYear?: string | undefined
  reference?: string | undefined
}
