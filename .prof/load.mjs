import net from 'node:net'
const w=process.argv[2], secs=+process.argv[3]
const W1=JSON.stringify({query:'{ hello }'}), W2=i=>JSON.stringify({query:'query P($id: ID!) { person(id: $id) { id name age address { street city country } friends(limit: 5) { id name } } }',variables:{id:String(1+i%256)}})
let n=0,i=0; const until=Date.now()+secs*1000
const msg=()=>{const b=w==='W1'?W1:W2(i++);return `POST /graphql HTTP/1.1\r\nHost: localhost:4567\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: ${b.length}\r\n\r\n${b}`}
for(let c=0;c<48;c++){const s=net.connect(4567,'127.0.0.1');s.on('data',d=>{n++; if(Date.now()<until)s.write(msg()); else s.end()});s.on('connect',()=>s.write(msg()))}
process.on('exit',()=>console.log(w,n/secs,'req/s'))
