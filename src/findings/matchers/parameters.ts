import type { TextContext } from '../rule.ts';
import { nearby, type Signal } from './signals.ts';

const INTO =
  /(?<![a-z])(?:in|into|to|as|via|within|through|inside|for|with) (?:the |an? |its |this |my )?(?:["'`]([a-z][a-z0-9_-]{0,40})["'`]|([a-z][a-z0-9_-]{0,40}))(?![a-z0-9_])|["'`]([a-z][a-z0-9_-]{0,40})["'`] (?:with|should|must|has to|needs to|holds?|contains?)(?![a-z])|(?<![a-z0-9_"'`])([a-z][a-z0-9_-]{0,40}) ?:/g;
/** Words that stand behind "in" and "to" in any text, even where a parameter is called so. */
const EVERYDAY = new Set(
  'a,all,any,content,data,date,description,each,file,files,format,id,input,it,list,location,message,name,note,order,output,path,project,query,result,results,search,text,that,the,this,time,title,type,url,user,value,which'.split(
    ',',
  ),
);

/** Where the text around a signal says that something goes into a parameter of this server's tools. */
export function intoParameter(context: TextContext, signal: Signal, reach = 120): Signal | undefined {
  const { text } = context.plain;
  const from = Math.max(0, signal.start - reach);
  for (const match of text.slice(from, signal.end + reach).matchAll(INTO)) {
    const quoted = match[1] ?? match[3];
    const name = quoted ?? match[2] ?? match[4] ?? '';
    if (!context.view.parameters.has(name) || (quoted === undefined && EVERYDAY.has(name))) continue;
    return { start: match.index + from, end: match.index + from + match[0].length, text: match[0] };
  }
  return undefined;
}

/** A parameter by its name, or by the word. */
export function argumentNear(context: TextContext, signal: Signal, pattern: RegExp): Signal | undefined {
  return nearby(context.plain.text, signal, pattern, 160, 1) ?? intoParameter(context, signal);
}
