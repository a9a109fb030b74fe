export declare function nextRun(expression: string, timeZone: string, after: Date): Date | undefined;
