/** Marks a row by the student it stands for. */
export const rowAttribute = 'data-student'

/** Names the action of a row's button, for the focus that moves on when the row goes away. */
export const actionAttribute = 'data-action'
