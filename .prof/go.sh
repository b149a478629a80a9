rm -f *.cpuprofile
NODE_ENV=production NODE_OPTIONS="$3" node --cpu-prof --cpu-prof-dir=. server.mjs & P=$!
sleep 1; node load.mjs $1 2 >/dev/null; node load.mjs $1 $2; kill -TERM $P; wait $P
node -e "
const p=JSON.parse(require('fs').readFileSync(require('fs').readdirSync('.').find(f=>f.endsWith('.cpuprofile'))));
const self=new Map();const dt=p.timeDeltas;const byId=new Map(p.nodes.map(n=>[n.id,n]));
p.samples.forEach((id,k)=>{const n=byId.get(id);const key=n.callFrame.functionName+' '+n.callFrame.url.replace(/.*\/(node_modules|dist)\//,'').replace('node:','')+':'+n.callFrame.lineNumber;self.set(key,(self.get(key)||0)+dt[k])});
const tot=[...self.entries()].filter(([k])=>!k.startsWith('(idle)')).reduce((a,b)=>a+b[1],0);
for(const [k,v] of [...self].sort((a,b)=>b[1]-a[1]).slice(0,45)) if(!k.startsWith('(idle)'))console.log((100*v/tot).toFixed(1)+'%',k)"
