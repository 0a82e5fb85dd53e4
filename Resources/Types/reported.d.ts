/** The sentences of what the program and the server report, by name; the server makes this module. */
export const reported: Record<`error.${string}`, string>;
