import 'reflect-metadata';
import http from 'node:http';
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
const root='/work/main/';
const require=createRequire(root+'package.json');
const kind=process.argv[2];
if (kind) {
  const body='{"id":1,"title":"x"}';
  const { NestFactory } = await import('@nestjs/core');
  const common = await import('@nestjs/common');
  const deco=(cls,fn,d)=>{};
  let server;
  if (kind==='node' || kind==='node-headers') {
    const {ResponseHeaders}=await import('/work/main/.bench-out/http/response-headers.js');
    const rh=new ResponseHeaders({cors:'*',apiRoot:'http://x/'});
    const flat=[...rh.assemble({id:'abc-1'},{},200,true),'Content-Length',Buffer.byteLength(body)];
    server=http.createServer((q,s)=>{ if(kind==='node-headers') s.writeHead(200,flat); else s.writeHead(200,{'Content-Type':'application/json','Content-Length':body.length}); s.end(body);});
    server.listen(0);
  } else {
    const {Answer}=await import('/work/main/.bench-out/http/answer.js');
    class C { get(){ return kind.startsWith('stock')? JSON.parse(body) : new Answer(200,{},body); } }
    common.Get(':id')(C.prototype,'get',Object.getOwnPropertyDescriptor(C.prototype,'get'));
    common.Controller('things')(C);
    class M{}; common.Module({controllers:[C]})(M);
    let app;
    if (kind==='stock') { app=await NestFactory.create(M,{logger:false}); }
    else if (kind==='stock-helmet') { app=await NestFactory.create(M,{logger:false}); app.use(require('helmet')()); }
    else {
      const {ApiAdapter}=await import('/work/main/.bench-out/http/api-adapter.js');
      const {configureTransport}=await import('/work/main/.bench-out/http/transport.js');
      const {createLogger}=await import('/work/main/.bench-out/http/logger.js');
      const log=createLogger({level:kind==='api-log'?'info':'warn',format:'json'});
      app=await NestFactory.create(M,new ApiAdapter({cors:'*',apiRoot:'http://x/',log}),{bodyParser:false,logger:false});
      configureTransport(app);
    }
    await app.listen(0,'127.0.0.1'); server=app.getHttpServer();
  }
  if(!server.listening) await new Promise(r=>server.once('listening',r));
  let c0;
  process.on('message',m=>{ if(m==='start') {c0=process.cpuUsage(); process.send({ok:1});} else { const c=process.cpuUsage(c0); process.send({cpu:c.user+c.system}); } });
  process.send({port:server.address().port});
} else {
  const autocannon=require('autocannon');
  const ask=(p,m)=>new Promise(r=>{p.once('message',r); if(m)p.send(m);});
  for (const path of ['/things/1']) for (let k of (process.env.KINDS||'node-headers,api,api-log').split(',')) {
    const p=fork('/work/main/.bench-out/bench.mjs',[k],{execArgv:process.env.PROF&&k==='api'?['--cpu-prof','--cpu-prof-dir=/tmp/prof']:[], stdio:['ignore','ignore','inherit','ipc'],cwd:root});
    const {port}=await ask(p);
    const run=d=>autocannon({url:`http://127.0.0.1:${port}${path}`,connections:16,duration:d});
    await run(2);
    await ask(p,'start'); const r=await run(4); const {cpu}=await ask(p,'stop');
    console.log(k.padEnd(14), path.length>12?'query':'plain', (cpu/r['2xx']).toFixed(1)+' µs', Math.round(r['2xx']/4)+'/s', 'non2xx',r.non2xx);
    p.kill();
  }
}
