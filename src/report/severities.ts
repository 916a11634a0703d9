/** Worst first. Apart from the model, which needs a validator that most runs never load. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
