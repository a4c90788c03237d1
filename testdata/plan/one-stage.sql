SELECT 'hello' AS greeting;
