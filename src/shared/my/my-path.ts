/** The page of a student. Apart from its rules, which public pages would load with it. */
export const myPath = '/my'
export const requestPath = `${myPath}/request`
