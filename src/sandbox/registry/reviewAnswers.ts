/** The registry's possible answers to a review besides accepting it, by the options of the fault. */
export const reviewAnswers = ['badRequest', 'unauthorized', 'notFound', 'failed', 'alreadyReviewed'] as const;

export type ReviewAnswer = (typeof reviewAnswers)[number];
